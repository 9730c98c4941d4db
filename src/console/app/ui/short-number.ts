/** Short numbers: `0.61`, and `0.0087` where two decimals would be nothing. */
export function shortNumber(value: number): string {
  const decimals = Math.abs(value) >= 0.1 || value === 0 ? 2 : 4;
  // The minus sign of print, which screen readers read out.
  return value.toFixed(decimals).replace('-', '−');
}
