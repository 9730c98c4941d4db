export const WEBHOOK_ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const WEBHOOK_ENCODINGS = ['hex', 'base64'] as const;

/** How a sender signs a delivery: an HMAC of the raw body, with a secret that only the sender and the operator know. */
export interface WebhookSignature {
  /** The header with the signature, such as `X-Hub-Signature-256`. */
  header: string;
  algorithm: (typeof WEBHOOK_ALGORITHMS)[number];
  encoding: (typeof WEBHOOK_ENCODINGS)[number];
  /** Text before the signature in the header, such as `sha256=`. Default none. */
  prefix?: string;
}

/** The rule that a signature breaks; undefined if there is none. */
export function signatureProblem(signature: unknown): string | undefined {
  if (typeof signature !== 'object' || signature === null) return 'must be an object';
  const { header, algorithm, encoding, prefix, ...rest } = signature as Partial<Record<string, unknown>>;
  if (typeof header !== 'string' || !/^[A-Za-z0-9-]{1,100}$/.test(header))
    return 'needs a header of letters, digits and -';
  if (!WEBHOOK_ALGORITHMS.some((each) => each === algorithm))
    return `needs an algorithm: ${WEBHOOK_ALGORITHMS.join(', ')}`;
  if (!WEBHOOK_ENCODINGS.some((each) => each === encoding))
    return `needs an encoding: ${WEBHOOK_ENCODINGS.join(', ')}`;
  if (prefix !== undefined && typeof prefix !== 'string') return 'needs a text as prefix';
  const [unknown] = Object.keys(rest);
  return unknown === undefined ? undefined : `has '${unknown}', which is unknown`;
}
