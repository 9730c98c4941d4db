import { NONE, type Ordinal } from '../ordinal.ts';

/** Identifiers and their ordinals, given out as identifiers are first mentioned. */
export class TestNames {
  private readonly ordinals = new Map<string, Ordinal>();
  private readonly ids: string[] = [];

  /** The ordinal of an identifier, a new one when it has none yet. */
  of(id: string): Ordinal {
    const known = this.ordinals.get(id);
    if (known !== undefined) return known;
    this.ordinals.set(id, this.ids.length);
    return this.ids.push(id) - 1;
  }

  find(id: string): Ordinal {
    return this.ordinals.get(id) ?? NONE;
  }

  /** '' for what is no ordinal. */
  id(ordinal: Ordinal): string {
    return this.ids[ordinal] ?? '';
  }
}

/** The names of all worlds that one plugin is tested in: its sets of ids are made once for all of them. */
export interface TestSpaces {
  readonly users: TestNames;
  readonly items: TestNames;
}
