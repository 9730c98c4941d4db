/** One thing that is wrong with options. */
export interface OptionFault {
  /** JSON pointer within the options, such as `/0`; empty: all of them. */
  path: string;
  /** Says what is allowed. */
  message: string;
}

/**
 * Thrown by `compile` for options that fit the schema and are wrong all the same; the caller gets a 400
 * with what is wrong, which should say what is allowed.
 */
export class InvalidOptions extends Error {
  override name = 'InvalidOptions';
  readonly faults: readonly OptionFault[];

  /** @param wrong a sentence about the options as a whole, or each fault with its place */
  constructor(wrong: string | readonly OptionFault[]) {
    const faults = typeof wrong === 'string' ? [{ path: '', message: wrong }] : wrong;
    super(faults.map(({ message }) => message).join('; '));
    this.faults = faults;
  }
}

/**
 * What each value of a list is read as.
 * @throws InvalidOptions with the faults of every value for which `read` throws them
 */
export function readEach<From, To>(values: readonly From[], read: (value: From) => To): To[] {
  const faults: OptionFault[] = [];
  const all = values.flatMap((value, index) => {
    try {
      return [read(value)];
    } catch (error) {
      if (!(error instanceof InvalidOptions)) throw error;
      faults.push(...error.faults.map(({ path, message }) => ({ path: `/${index}${path}`, message })));
      return [];
    }
  });
  if (faults.length > 0) throw new InvalidOptions(faults);
  return all;
}
