import { isOfViewer } from '../plugin/depends-on.ts';
import { RefusedPlugin } from './refused-plugin.ts';
import { isThirdParty, type Registry } from './registry.ts';

/**
 * Removes plugins with a scoring function whose `ranked_by` is unknown or a signal of the viewer.
 *
 * Feeds could not be compiled with them. Call it when all plugins are loaded, since a plugin may name a signal of
 * another. Plugins that are ranked by a signal of a removed plugin are removed as well.
 * @returns the rejections by source
 */
export function removeUnranked(registry: Registry): Map<string, RefusedPlugin> {
  const refused = new Map<string, RefusedPlugin>();
  for (let next = firstUnranked(registry); next !== undefined; next = firstUnranked(registry)) {
    const [source, refusal] = next;
    registry.remove(source);
    refused.set(source, refusal);
  }
  return refused;
}

function firstUnranked(registry: Registry): [string, RefusedPlugin] | undefined {
  for (const { id, source, extension } of registry.all('scoring_functions')) {
    const problem = isThirdParty(id) ? rankingProblem(registry, extension.ranked_by) : undefined;
    if (problem !== undefined) {
      return [source, new RefusedPlugin('plugin_malformed', source, `${id}.ranked_by: ${problem}`, REMEDY)];
    }
  }
  return undefined;
}

/** Whether feeds are in the exact order of the ranking of a scoring function: its signal never changes. */
export function isInRankingOrder(registry: Registry, scoring_id: string): boolean {
  const ranked_by = registry.get('scoring_functions', scoring_id)?.extension.ranked_by;
  return registry.get('signals', ranked_by ?? '')?.extension.depends_on === 'content';
}

/** Explains why a signal cannot be used as `ranked_by`. Undefined if it can, or if there is none. */
export function rankingProblem(registry: Registry, ranked_by: string | undefined): string | undefined {
  if (ranked_by === undefined) return undefined;
  const signal = registry.get('signals', ranked_by)?.extension;
  if (signal === undefined) return `no plugin registered a signal named '${ranked_by}'`;
  return isOfViewer(signal) ? `the signal '${ranked_by}' depends on the viewer` : undefined;
}

const REMEDY =
  'Name a signal that does not depend on the viewer. To use a signal of another plugin, load that plugin as well.';
