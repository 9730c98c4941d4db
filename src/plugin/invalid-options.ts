/** Maximum number of reported faults, so that a request with thousands of wrong values gets a short answer. */
const FAULTS_MAX = 100;

/** One fault in options. */
export interface OptionFault {
  /** JSON pointer within the options, such as `/0`. Empty for the options as a whole. */
  path: string;
  /** States what is allowed. */
  message: string;
}

/**
 * Thrown by `compile` for options that fit the schema but are invalid.
 *
 * The caller gets a 400 with the message, which should state what is allowed.
 */
export class InvalidOptions extends Error {
  override name = 'InvalidOptions';
  readonly faults: readonly OptionFault[];

  /**
   * @param wrong a sentence about the options as a whole, or a list of faults, of which the first 100 are kept
   * @throws Error if the list is empty
   */
  constructor(wrong: string | readonly OptionFault[]) {
    const faults = typeof wrong === 'string' ? [{ path: '', message: wrong }] : wrong.slice(0, FAULTS_MAX);
    if (faults.length === 0) throw new Error('InvalidOptions needs to say what is wrong');
    super(faults.map(({ message }) => message).join('; '));
    this.faults = faults;
  }
}

/**
 * Applies `read` to each value of a list.
 * @param place JSON pointer of the list within the options
 * @throws InvalidOptions with the faults of all values that `read` rejects, up to 100
 */
export function readEach<From, To>(values: readonly From[], read: (value: From) => To, place = ''): To[] {
  const faults: OptionFault[] = [];
  const all: To[] = [];
  for (const [index, value] of values.entries()) {
    try {
      all.push(read(value));
    } catch (error) {
      if (!(error instanceof InvalidOptions)) throw error;
      const of_value = error.faults.map(({ path, message }) => ({
        path: `${place}/${index}${path}`,
        message,
      }));
      faults.push(...of_value);
      if (faults.length >= FAULTS_MAX) break;
    }
  }
  if (faults.length > 0) throw new InvalidOptions(faults);
  return all;
}
