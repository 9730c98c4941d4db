/**
 * Thrown by `compile` for options that fit the schema and are wrong all the same; the caller gets a 400
 * with this message, which should say what is allowed.
 */
export class InvalidOptions extends Error {
  override name = 'InvalidOptions';
}
