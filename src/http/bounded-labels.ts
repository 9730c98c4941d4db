const VALUES_MAX = 100;
const LENGTH_MAX = 64;
const OTHER = 'other';

/** Letters, digits, punctuation and blanks: no control characters, and none that turn the direction of a text. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/**
 * Labels out of what callers send: the first hundred values keep their name, later ones become `other`, so that no
 * caller can make the metrics grow.
 */
export class BoundedLabels {
  private readonly known = new Set<string>();

  /** @param value undefined for what was sent and is no value: `other` */
  of(value: string | undefined): string {
    if (value === undefined || this.known.has(value)) return value ?? OTHER;
    if (this.known.size >= VALUES_MAX) return OTHER;
    this.known.add(value);
    return value;
  }
}

/** The host of an http(s) URL; undefined for anything else, and for a host of more than 64 characters. */
export function hostLabel(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return parsed.host.length <= LENGTH_MAX ? parsed.host : undefined;
}

/** A printable text, cut to 64 characters; undefined for any other. */
export function textLabel(text: string): string | undefined {
  const label = [...text.trim()].slice(0, LENGTH_MAX).join('');
  return PRINTABLE.test(label) ? label : undefined;
}
