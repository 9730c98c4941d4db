/** A working extension with its tests, which `feedloom plugins new` writes. */
export interface Scaffold {
  /** What it is, in words. Default: the title of its kind. */
  title?: string;
  /** Further names to import from `feedloom/plugin`. */
  imports?: readonly string[];
  /** The members of the extension. */
  body: string;
  /** The members of its tests. */
  tests: string;
}

export const NO_OPTIONS = 'options: Type.Object({}, { additionalProperties: false }),';

/** An options schema with one integer of at least 1. */
export function countOption(name: string, by_default: number): string {
  return `options: Type.Object(
  { ${name}: Type.Integer({ minimum: 1, default: ${by_default}, description: 'an integer of at least 1' }) },
  { additionalProperties: false },
),`;
}
