const VALUES_MAX = 100;
const LENGTH_MAX = 64;
const OTHER = 'other';

/**
 * Labels out of what callers send: the first hundred values keep their name, shortened, later ones become
 * `other`, so that no caller can make the metrics grow.
 */
export class BoundedLabels {
  private readonly known = new Set<string>();

  of(value: string): string {
    const label = value.trim().slice(0, LENGTH_MAX);
    if (this.known.has(label)) return label;
    if (label === '' || this.known.size >= VALUES_MAX) return OTHER;
    this.known.add(label);
    return label;
  }
}
