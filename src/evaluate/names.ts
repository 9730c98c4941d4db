/** Identifiers by dense index, in order of their first appearance. */
export class Names {
  private readonly ids: string[] = [];
  private readonly index_of = new Map<string, number>();

  get size(): number {
    return this.ids.length;
  }

  /** The index of an identifier. A new identifier gets the next index. */
  add(id: string): number {
    const known = this.index_of.get(id);
    if (known !== undefined) return known;
    this.index_of.set(id, this.ids.length);
    return this.ids.push(id) - 1;
  }

  find(id: string): number | undefined {
    return this.index_of.get(id);
  }

  id(index: number): string {
    return this.ids[index];
  }
}
