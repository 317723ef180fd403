# The same commands on a laptop and in CI. They work in whatever Python environment is active; `make ci` makes its own.

.DEFAULT_GOAL := help
.PHONY: help build test lint docs rust-test stubs stubtest bench package ci clean

PYTHON ?= python
DIST ?= dist

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build the extension module in release mode and install the package, with the tools, for editing in place.
	$(PYTHON) -m pip install '.[dev]'
	maturin develop --release

test: ## Install the package as a user would, then run the Python tests.
	pip install '.[test]' && pytest

lint: ## Check formatting, lints, Rust documentation and types of everything, documents included.
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	cargo clippy --all-targets --features python -- -D warnings
	cargo clippy --all-targets --features capi -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps
	ruff check .
	ruff format --check .
	mypy
	@pages=$$(mktemp -d) && trap 'rm -r "$$pages"' EXIT && $(PYTHON) -m tests.support.doc_blocks "$$pages" && mypy "$$pages"

docs: ## Build the manual into docs/_build/html; a warning is an error, and so is one in a notebook.
	$(PYTHON) -m sphinx --fail-on-warning --keep-going --fresh-env --quiet docs docs/_build/html

rust-test: ## Run the Rust tests, documentation tests and the example; no Python is involved.
	cargo test
	cargo test --features capi --lib capi
	cargo run --example embed

stubs: ## Copy the docstrings of the installed extension module into its type stub.
	$(PYTHON) -m tests.support.stubs --write

stubtest: ## Compare the type stub with the installed extension module.
	$(PYTHON) -m mypy.stubtest --mypy-config-file pyproject.toml --allowlist .ci/stubtest-allowlist.txt savanna

bench: ## Run the Rust benchmarks, which assert the answers that they time.
	cargo bench

package: ## Build wheel, sdist and crate, and check what would be published.
	rm -rf $(DIST)
	maturin build --release --locked --out $(DIST)
	maturin sdist --out $(DIST)
	twine check --strict $(DIST)/*
	abi3audit --strict --report $(DIST)/*.whl
	check-wheel-contents $(DIST)/*.whl
	cargo package --locked --allow-dirty

ci: ## Do all that continuous integration does, in a virtual environment of its own.
	.ci/run

clean: ## Remove whatever the other targets made.
	cargo clean
	rm -rf $(DIST) docs/_build .hypothesis .mypy_cache .pytest_cache .ruff_cache python/savanna/_core.*.so python/savanna/_core.pyd
	find python tests benchmarks examples -name __pycache__ -type d -prune -exec rm -r {} +
