import { NONE, type Ordinal } from '../ordinal.ts';

/** Assigns ordinals to identifiers in the order in which they first occur. */
export class TestNames {
  private readonly ordinals = new Map<string, Ordinal>();
  private readonly ids: string[] = [];

  of(id: string): Ordinal {
    const known = this.ordinals.get(id);
    if (known !== undefined) return known;
    this.ordinals.set(id, this.ids.length);
    return this.ids.push(id) - 1;
  }

  find(id: string): Ordinal {
    return this.ordinals.get(id) ?? NONE;
  }

  id(ordinal: Ordinal): string {
    return this.ids[ordinal] ?? '';
  }
}

/** The names of all worlds that one plugin is tested in, so that its sets of ids are made only once. */
export interface TestSpaces {
  readonly users: TestNames;
  readonly items: TestNames;
}
