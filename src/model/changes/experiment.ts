import { type ChangeOf, defineChange } from '../define-change.ts';
import type { ExperimentContent } from '../experiment-content.ts';
import { inColumn, integer, json } from '../member.ts';

/** A complete new version of an experiment, or its deletion. */
export const EXPERIMENT = defineChange({
  kind: 'experiment',
  table: 'experiments',
  since: '0023_experiments',
  members: {
    /** The `n` of `exp_<n>`. */
    experiment: inColumn('experiment_number', integer),
    content: json<ExperimentContent>(),
  },
});

export type ExperimentChange = ChangeOf<typeof EXPERIMENT>;
