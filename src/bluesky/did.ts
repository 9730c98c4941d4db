/** A DID as AT Protocol allows it. */
const DID = /^did:[a-z]+:[A-Za-z0-9._:%-]*[A-Za-z0-9._-]$/;
const DID_LENGTH_MAX = 2_048;
/** The directory of did:plc uses 24 characters of base32. Other lengths are left to the directory. */
const PLC = /^did:plc:[a-z0-9]{1,64}$/;
const WEB = /^did:web:([a-z0-9.-]+)$/;
const HOST_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** The last label of a public host name. An IP address in any notation ends in a number. */
const TOP_LABEL = /^([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
/** Names that do not belong to the public internet (RFC 6761, RFC 6762, RFC 7686, RFC 9476). */
const PRIVATE_TOP_LABELS: ReadonlySet<string> = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'test',
]);

/** Whether a text is a DID of any method. */
export function isDid(text: string): boolean {
  return text.length <= DID_LENGTH_MAX && DID.test(text);
}

/** Whether a text is a DID that the directory of did:plc may know. */
export function isPlcDid(text: string): boolean {
  return PLC.test(text);
}

/**
 * The host of a `did:web` on a public host. Undefined for any other text, and for a DID with a port or a path.
 *
 * IP addresses, names without a dot and names of private networks are not public.
 */
export function publicWebHost(did: string): string | undefined {
  const host = WEB.exec(did)?.[1];
  if (host === undefined || host.length > HOST_LENGTH_MAX) return undefined;
  const labels = host.split('.');
  const top = labels[labels.length - 1];
  if (labels.length < 2 || !TOP_LABEL.test(top) || PRIVATE_TOP_LABELS.has(top)) return undefined;
  return labels.every((label) => LABEL.test(label)) ? host : undefined;
}
