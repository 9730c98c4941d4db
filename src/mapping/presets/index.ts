/** Maps for exports of well-known software. Each is a map file, whose comments have the commands that make the files. */
import type { FileMap } from '../map.ts';
import { parseMaps } from '../parse-map.ts';
import discourse from './discourse.txt' with { type: 'text' };
import flarum from './flarum.txt' with { type: 'text' };
import gorse from './gorse.txt' with { type: 'text' };
import lemmy from './lemmy.txt' with { type: 'text' };
import mastodon from './mastodon.txt' with { type: 'text' };
import movielens from './movielens.txt' with { type: 'text' };
import nodebb from './nodebb.txt' with { type: 'text' };
import phpbb from './phpbb.txt' with { type: 'text' };
import reddit from './reddit.txt' with { type: 'text' };

/** Texts of map files by name. */
export const PRESETS = { discourse, flarum, gorse, lemmy, mastodon, movielens, nodebb, phpbb, reddit };

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];

export function presetMaps(name: PresetName): FileMap[] {
  return parseMaps(PRESETS[name]);
}

/** The shell commands in the comments of a preset. */
export function exportCommands(name: PresetName): string {
  const lines = PRESETS[name].split('\n').filter((line) => line.startsWith('#   '));
  return lines.map((line) => `${line.slice(4)}\n`).join('');
}

/** A column that decides who may see a row, and that a file lacks. */
export function lackedColumn(map: FileMap, columns: readonly string[]): string | undefined {
  return decidingColumns(map).find((column) => !columns.includes(column));
}

export function decidingColumns({ fields, skips }: FileMap): string[] {
  const hidden = fields.get('hidden');
  return [...skips, ...(hidden !== undefined && 'column' in hidden ? [hidden] : [])].map(
    ({ column }) => column,
  );
}
