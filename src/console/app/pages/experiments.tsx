import { ExperimentList } from './experiments/experiment-list.tsx';
import { NewExperiment } from './experiments/new-experiment.tsx';
import { WatchExperiment } from './experiments/watch-experiment.tsx';

export function ExperimentsPage({ rest: [experiment_id] }: { rest: readonly string[] }) {
  if (experiment_id === undefined) return <ExperimentList />;
  if (experiment_id === 'new') return <NewExperiment />;
  return <WatchExperiment key={experiment_id} experiment_id={experiment_id} />;
}
