import { walletRegistry } from '../../src/wallets.ts';
import { builtIn, itemIds, type RequestOptions, requestIn, type Scene } from './scene.ts';

/** Results of single built-in extensions in a scene, by identifiers. */

const REGISTRY = builtIn();
/** The additional extensions of wallet feeds. */
const OF_WALLETS = walletRegistry();

/** The value of a signal for every described item. */
export function signalValues(
  scene: Scene,
  signal: string,
  request: RequestOptions = {},
): Record<string, number> {
  const value = requestIn(scene, request).signal(signal);
  const { items } = scene.state;
  const all = Array.from({ length: items.size }, (_, item) => item);
  const described = all.filter((item) => items.described(item));
  return Object.fromEntries(described.map((item) => [items.names.id(item), value(item)]));
}

/** The proposals of a candidate source, in its order: as many as a feed without a limit of candidates takes. */
export function proposed(scene: Scene, source: string, request: RequestOptions = {}): string[] {
  const signals = [...OF_WALLETS.all('signals'), ...REGISTRY.all('signals')];
  const signal = signals.find(
    ({ id, extension: { proposes } }) => (proposes && (proposes.name ?? id)) === source,
  );
  const context = requestIn(scene, request);
  const wanted = Math.ceil(signal!.extension.proposes!.per_item * context.page_length);
  return itemIds(scene.state, context.best(signal!.id, wanted));
}
