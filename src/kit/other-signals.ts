import { type Ordinal, type Signal, Type } from '../plugin/index.ts';
import type { Kind, KindMap } from '../registry/kinds.ts';
import { type CompiledSignal, isThirdParty, type Registered, Registry } from '../registry/registry.ts';

/** What a signal of another plugin declares, or undefined if there is no such signal. */
export type OtherSignals = (name: string) => Pick<Signal, 'depends_on'> | undefined;

/** Takes a signal to exist. It may be in another file of the same namespace, which a test does not load. */
export const ASSUMED: OtherSignals = () => ({ depends_on: 'item' });

const SUMMARY = 'Stands in for a signal of a plugin that is not loaded.';

/** Whether the values of a signal are not those of its plugin. */
export function isStandIn({ summary }: Signal): boolean {
  return summary === SUMMARY;
}

/** The built-in extensions, the plugin under test, and stand-ins for the signals of other plugins. */
export class TestRegistry extends Registry {
  constructor(private readonly others: OtherSignals) {
    super();
  }

  override get<K extends Kind>(kind: K, id: string): Registered<KindMap[K]> | undefined {
    const known = super.get(kind, id);
    if (known !== undefined || kind !== 'signals' || !isThirdParty(id)) return known;
    const declared = this.others(id);
    if (declared === undefined) return undefined;
    // Values in [0, 1], including both ends, that differ by item and by name.
    const value = (item: Ordinal) => ((item * 7 + id.length * 3) % 11) / 10;
    this.addSignal(id, { ...declared, summary: SUMMARY }, value);
    return super.get(kind, id);
  }

  /** Compiles the signal anew, so that a check sees what its `compile` does. */
  override signal(id: string): CompiledSignal | undefined {
    const registered = this.get('signals', id);
    return registered && this.compiledSignal(registered);
  }

  /** Gives a signal the values of a test. @throws Error if there is no such signal */
  replace(id: string, values: ReadonlyMap<Ordinal, number>): void {
    const registered = this.get('signals', id);
    if (registered === undefined) throw new Error(`no plugin registered a signal named '${id}'`);
    const { summary, depends_on, reaches } = registered.extension;
    // The given values are of items, so they need no reach.
    const declared = { summary, depends_on: reaches === undefined ? depends_on : 'item' } as const;
    this.addSignal(id, declared, (item) => values.get(item) ?? 0);
  }

  private addSignal(
    id: string,
    { depends_on, summary }: Pick<Signal, 'depends_on' | 'summary'>,
    value: (item: Ordinal) => number,
  ): void {
    const options = Type.Object({});
    const signal: Signal = { summary, depends_on, options, compile: () => () => value };
    this.addBuiltIn({ signals: { [id]: signal } });
  }
}
