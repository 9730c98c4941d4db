import { isoDate } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { EVENT_TYPES } from '../model/acts.ts';
import type { ExperimentContent } from '../model/experiment-content.ts';
import { NONE } from '../model/key.ts';
import { spreadsheetRecord } from '../rows/csv.ts';
import type { Experiments } from './experiments.ts';
import type { VariantViewer } from './variant-viewer.ts';

const HEADER = [
  ...['user_id', 'variant', 'impressions', 'pages', 'short_pages', 'first_day', 'returned_next_day'],
  ...EVENT_TYPES,
];

/**
 * The viewers of the current period as CSV, some lines at a time. Only the header once the experiment is stopped.
 *
 * Only known users have a line: one a variant if they are interleaved, which share pages. The others are counted in a last one, if there are any. Hidden users do not count.
 * Viewers who are erased while it is sent are left out from then on.
 * @throws ServiceError `not_found` if the period ends while it is sent
 */
export async function* viewersCsv(
  experiments: Experiments,
  content: ExperimentContent,
): AsyncGenerator<string> {
  yield spreadsheetRecord(HEADER);
  if (content.status !== 'running') return;
  const { users } = experiments.state;
  const known = await experiments.assignedUsers(content);
  const others = { viewers: 0, sums: countsOf(undefined) };
  for (const { name, arm } of content.variants) {
    for await (const viewers of experiments.viewersOf(content, arm)) {
      let lines = '';
      for (const viewer of viewers) {
        const user = known.find(viewer.viewer);
        if (user === NONE) {
          others.viewers++;
          others.sums = countsOf(viewer).map((count, at) => count + others.sums[at]);
        } else if (!users.hidden(user))
          for (const [variant, part] of partsOf(viewer, name, content))
            lines += line(users.names.id(user), variant, part);
      }
      yield lines;
    }
    // Without this error, the rest of the viewers would be missing from a file that looks complete.
    if (!experiments.isOpen(arm))
      throw new ServiceError('not_found', 'the period ended while its viewers were read');
  }
  if (others.viewers === 0) return;
  const [impressions, pages, short_pages, ...rest] = others.sums;
  yield spreadsheetRecord([
    ...[`${others.viewers} without a user record`, '', impressions, pages, short_pages, '', ...rest],
  ]);
}

/** What a viewer did under each variant. Interleaved ones share the arm of the first. */
function partsOf(
  viewer: VariantViewer,
  name: string,
  { method, variants }: ExperimentContent,
): [variant: string, part: VariantViewer][] {
  if (method === 'split') return [[name, viewer]];
  return variants.map((variant, at) => [variant.name, { ...viewer, ...viewer.of_teams[at] }]);
}

function line(user_id: string, variant: string, viewer: VariantViewer): string {
  const [impressions, pages, short_pages, ...rest] = countsOf(viewer);
  const day = isoDate(viewer.first_day);
  return spreadsheetRecord([user_id, variant, impressions, pages, short_pages, day, ...rest]);
}

/** The numbers of a line; 0 without a viewer. */
function countsOf(viewer: VariantViewer | undefined): number[] {
  const { impressions = 0, pages = 0, short_pages = 0, has_returned = false } = viewer ?? {};
  const acts = viewer?.acts ?? EVENT_TYPES.map(() => 0);
  return [impressions, pages, short_pages, Number(has_returned), ...acts];
}
