import { ServiceError } from '../errors.ts';
import { spreadsheetRecord } from '../interchange/csv.ts';
import { EVENT_TYPES } from '../state/change.ts';
import type { ExperimentContent } from '../state/experiment-content.ts';
import type { Experiments } from './experiments.ts';

const MS_PER_DAY = 86_400_000;

const HEADER = [
  'user_id',
  'variant',
  'impressions',
  'pages',
  'short_pages',
  'first_day',
  'returned_next_day',
  ...EVENT_TYPES,
];

/**
 * The viewers of the current period as CSV, some lines at a time. Only the header once the experiment is stopped.
 *
 * Viewers who are erased while it is sent are left out from then on.
 * @throws ServiceError `not_found` if the period ends while it is sent
 */
export async function* viewersCsv(
  experiments: Experiments,
  { status, variants }: ExperimentContent,
): AsyncGenerator<string> {
  yield spreadsheetRecord(HEADER);
  for (const { name, arm } of status === 'running' ? variants : []) {
    for await (const viewers of experiments.viewersOf(arm)) {
      const lines = viewers.map(({ user_id, viewer }) => {
        const { impressions, pages, short_pages, first_day, has_returned, acts } = viewer;
        const day = new Date(first_day * MS_PER_DAY).toISOString().slice(0, 10);
        const counts = [impressions, pages, short_pages];
        return spreadsheetRecord([user_id, name, ...counts, day, Number(has_returned), ...acts]);
      });
      yield lines.join('');
    }
    // Without this error, the rest of the viewers would be missing from a file that looks complete.
    if (!experiments.isOpen(arm))
      throw new ServiceError('not_found', 'the period ended while its viewers were read');
  }
}
