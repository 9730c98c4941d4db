const VALUES_MAX = 100;
const LENGTH_MAX = 64;
const OTHER = 'other';

/** Letters, digits, punctuation and blanks: no control characters and no marks that change the text direction. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/**
 * Bounds the number of metric labels that callers can create.
 *
 * The first hundred values keep their name, later ones become `other`.
 */
export class BoundedLabels {
  private readonly known = new Set<string>();

  /** @param value undefined for an invalid value, which becomes `other` */
  of(value: string | undefined): string {
    if (value === undefined || this.known.has(value)) return value ?? OTHER;
    if (this.known.size >= VALUES_MAX) return OTHER;
    this.known.add(value);
    return value;
  }
}

/** Host of an http(s) URL. Undefined for other text and for hosts longer than 64 characters. */
export function hostLabel(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return parsed.host.length <= LENGTH_MAX ? parsed.host : undefined;
}

/** A printable text, cut to 64 characters. Undefined for other text. */
export function textLabel(text: string): string | undefined {
  const label = [...text.trim()].slice(0, LENGTH_MAX).join('');
  return PRINTABLE.test(label) ? label : undefined;
}
