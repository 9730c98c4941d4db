import { type RefusedPlugin, refusePlugin } from './refused-plugin.ts';
import { isThirdParty, type Registry } from './registry.ts';

/**
 * Takes out every plugin with a scoring function that is ranked by what is no signal, or one of the viewer: feeds
 * could not be compiled with it. To be asked when all are loaded, as a plugin may name a signal of another. What is
 * ranked by a signal of one that is taken out goes with it.
 * @returns the refusals by source
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
      return [source, refusePlugin('plugin_malformed', source, `${id}.ranked_by: ${problem}`, REMEDY)];
    }
  }
  return undefined;
}

/** Why nothing can be ranked by what a scoring function names; undefined: it can, or it names nothing. */
export function rankingProblem(registry: Registry, ranked_by: string | undefined): string | undefined {
  if (ranked_by === undefined) return undefined;
  const signal = registry.get('signals', ranked_by)?.extension;
  if (signal === undefined) return `no plugin registered a signal named '${ranked_by}'`;
  return signal.depends_on === 'viewer' ? `the signal '${ranked_by}' depends on the viewer` : undefined;
}

const REMEDY =
  "Name a signal that is the same for everybody; one of another plugin's is there when that is loaded, too.";
