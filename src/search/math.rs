//! Exponential and logarithm by basic operations only. Those of the system may differ from platform to platform in the
//! last bit, and so might a search that builds on them.

use std::f32::consts::{LN_2, LOG2_E, SQRT_2};

/// The exponential, to seven digits; beyond +-80 it stays what it is there.
pub(super) fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    let power = (x * LOG2_E).round();
    let rest = x - power * LN_2;
    // Taylor's series: the rest is at most 0.35 in size, so the first term left out is below 1e-7.
    let series = (1..=6).rev().fold(1.0, |sum, n| 1.0 + sum * rest / n as f32);
    series * f32::from_bits(((127 + power as i32) as u32) << 23)
}

/// The natural logarithm of a positive normal number, to six digits.
pub(super) fn ln(x: f32) -> f32 {
    let exponent = (x.to_bits() >> 23) as i32 - 127;
    let fraction = f32::from_bits((x.to_bits() & 0x007F_FFFF) | 0x3F80_0000);
    let (exponent, fraction) = if fraction > SQRT_2 { (exponent + 1, fraction / 2.0) } else { (exponent, fraction) };
    // ln f = 2 artanh y, where y is at most 0.18 in size.
    let y = (fraction - 1.0) / (fraction + 1.0);
    let series = [1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0].into_iter().fold(0.0, |sum, term| sum * y * y + term);
    exponent as f32 * LN_2 + 2.0 * y * series
}

/// The chance that a logit stands for.
pub(super) fn logistic(z: f32) -> f32 {
    1.0 / (1.0 + exp(-z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_to_the_systems_functions() {
        for i in -8000..=8000 {
            let x = i as f32 / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "exp {x}");
            let y = x.exp();
            assert!((ln(y) - y.ln()).abs() < 1e-5 * (1.0 + y.ln().abs()), "ln {y}");
        }
        assert_eq!((exp(0.0), ln(1.0), logistic(0.0)), (1.0, 0.0, 0.5));
        assert_eq!((exp(1e9), exp(-1e9)), (exp(80.0), exp(-80.0)));
    }
}
