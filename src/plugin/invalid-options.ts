/** Faults of options that are told: whoever sends thousands of wrong values need not hear of each. */
const FAULTS_MAX = 100;

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

  /**
   * @param wrong a sentence about the options as a whole, or each fault with its place, of which the first hundred count
   * @throws Error for no fault at all
   */
  constructor(wrong: string | readonly OptionFault[]) {
    const faults = typeof wrong === 'string' ? [{ path: '', message: wrong }] : wrong.slice(0, FAULTS_MAX);
    if (faults.length === 0) throw new Error('InvalidOptions needs to say what is wrong');
    super(faults.map(({ message }) => message).join('; '));
    this.faults = faults;
  }
}

/**
 * What each value of a list is read as.
 * @param place JSON pointer of the list within the options
 * @throws InvalidOptions with the faults of every value for which `read` throws them, as many as count
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
