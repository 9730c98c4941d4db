import { test } from 'bun:test';
import { BUILT_IN } from '../../../plugins/index.ts';
import { refusedOptions } from '../../support/extensions.ts';

test.each(Object.keys(BUILT_IN.candidate_sources!))('%s rejects invalid numbers of candidates', (source) =>
  refusedOptions(
    'candidate_sources',
    source,
    [0, 101, -1, '2', null].map((per_item) => ({ per_item })),
  ),
);
