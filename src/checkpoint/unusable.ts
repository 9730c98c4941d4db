/** A checkpoint that cannot be used. The message is the reason. */
export class Unusable extends Error {}
