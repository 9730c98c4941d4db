/** A checkpoint that cannot be used, and why. */
export class Unusable extends Error {}
