interface Damping {
  power: number;
  smoothing: number;
}

/** Powers of smaller degrees are in a table. */
const DEGREES = 4096;

/** `(degree + smoothing)^-power`, tabulated. 0 for degree 0. */
export function inversePowers({ power, smoothing }: Damping): (degree: number) => number {
  const table = new Float64Array(DEGREES);
  for (let degree = 1; degree < DEGREES; degree++) table[degree] = (degree + smoothing) ** -power;
  return (degree) => (degree < DEGREES ? table[degree] : (degree + smoothing) ** -power);
}
