/** Powers of smaller degrees are in a table. */
const DEGREES = 4096;

/** `degree^-exponent`, tabulated. */
export function inversePowers(exponent: number): (degree: number) => number {
  const table = new Float64Array(DEGREES);
  for (let degree = 1; degree < DEGREES; degree++) table[degree] = degree ** -exponent;
  return (degree) => (degree < DEGREES ? table[degree] : degree ** -exponent);
}
