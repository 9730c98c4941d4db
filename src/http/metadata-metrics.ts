import type { Registry } from 'prom-client';
import type { FetcherFigures, MetadataFetcher } from '../alpha/metadata-fetcher.ts';
import type { Service } from '../service.ts';
import { type ReadMetric, readLevel, readTotal, type Sample } from './read-metrics.ts';

/** Metrics of a metadata provider. Absent if there is none besides the catalog. */
export function readMetadata(registry: Registry, service: () => Service | undefined): void {
  const ofFetcher = (
    name: string,
    help: string,
    read: (figures: FetcherFigures, fetcher: MetadataFetcher) => Sample[],
    labels: string[] = [],
  ): ReadMetric => ({
    name,
    help,
    labels: ['provider', ...labels],
    read: () => {
      const fetcher = service()?.alpha.fetcher;
      if (fetcher === undefined) return [];
      return read(fetcher.figures, fetcher).map(([of, value]) => [{ provider: fetcher.id, ...of }, value]);
    },
  });
  readTotal(
    registry,
    ofFetcher('feedloom_metadata_calls_total', 'Calls of the metadata provider.', ({ calls }) => [
      [{}, calls],
    ]),
  );
  readTotal(
    registry,
    ofFetcher(
      'feedloom_metadata_failed_calls_total',
      'Calls of the metadata provider that failed or timed out.',
      ({ failed_calls }) => [[{}, failed_calls]],
    ),
  );
  readTotal(
    registry,
    ofFetcher(
      'feedloom_metadata_items_total',
      'Items of answers by source of their metadata: cached, fetched in time, or missing.',
      ({ items }) => Object.entries(items).map(([outcome, count]) => [{ outcome }, count]),
      ['outcome'],
    ),
  );
  readTotal(
    registry,
    ofFetcher(
      'feedloom_metadata_late_answers_total',
      'Answers that were sent before the metadata provider had replied.',
      ({ late_answers }) => [[{}, late_answers]],
    ),
  );
  readLevel(
    registry,
    ofFetcher(
      'feedloom_metadata_remembered_items',
      'Items with cached metadata.',
      (_, { remembered_items }) => [[{}, remembered_items]],
    ),
  );
  readLevel(
    registry,
    ofFetcher(
      'feedloom_metadata_circuit_open',
      'Whether calls of the metadata provider are suspended after failures.',
      (_, { is_circuit_open }) => [[{}, is_circuit_open ? 1 : 0]],
    ),
  );
}
