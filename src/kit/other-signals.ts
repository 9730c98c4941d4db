import { NONE, type Ordinal, type Reached, type Signal, Type } from '../plugin/index.ts';
import type { Kind, KindMap } from '../registry/kinds.ts';
import { type CompiledSignal, isThirdParty, type Registered, Registry } from '../registry/registry.ts';

/** What a signal of another plugin declares, or undefined if there is no such signal. */
export type OtherSignals = (name: string) => Pick<Signal, 'depends_on' | 'reaches'> | undefined;

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
    this.addSignal(id, { ...declared, summary: SUMMARY }, value, new Map());
    return super.get(kind, id);
  }

  override signal(id: string): CompiledSignal | undefined {
    this.get('signals', id);
    return super.signal(id);
  }

  /** Gives a signal the values of a test. @throws Error if there is no such signal */
  replace(id: string, values: ReadonlyMap<Ordinal, number>): void {
    const registered = this.get('signals', id);
    if (registered === undefined) throw new Error(`no plugin registered a signal named '${id}'`);
    this.addSignal(id, registered.extension, (item) => values.get(item) ?? 0, values);
  }

  private addSignal(
    id: string,
    { depends_on, reaches, summary }: Pick<Signal, 'depends_on' | 'reaches' | 'summary'>,
    value: (item: Ordinal) => number,
    weights: ReadonlyMap<Ordinal, number>,
  ): void {
    const options = Type.Object({});
    const reach = reaches && (() => () => reachedOf(weights));
    const signal: Signal = { summary, depends_on, options, compile: () => () => value, reaches: reach };
    this.addBuiltIn({ signals: { [id]: signal } });
  }
}

/** The items with a weight above 0. */
function reachedOf(values: ReadonlyMap<Ordinal, number>): Reached {
  const weights = new Map([...values].filter(([item, weight]) => item !== NONE && weight > 0));
  return {
    size: weights.size,
    max: Math.max(0, ...weights.values()),
    weight: (item) => weights.get(item) ?? 0,
    forEach(visit) {
      for (const [item, weight] of weights) visit(item, weight);
    },
  };
}
