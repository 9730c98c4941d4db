import { useEffect, useMemo, useState } from 'preact/hooks';
import { place, replaceQuery } from '../router.ts';
import { api } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { useResource } from '../ui/resource.ts';
import { Loaded } from '../ui/states.tsx';
import { AuditLog } from './health/audit-log.tsx';
import { Connectors } from './health/connectors.tsx';
import { drawingsOf, errorCounts, type History } from './health/drawings.ts';
import { Nodes } from './health/nodes.tsx';
import { Plugins } from './health/plugins.tsx';
import { Status } from './health/status.tsx';

/** Time between two looks at the service. It measures once a minute. */
const REFRESH_MS = 30_000;

/** How the service is doing: status, charts, connectors, nodes, plugins, and the audit log. */
export function HealthPage(_: { rest: readonly string[] }) {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((before) => before + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const window = place.value.query.get('window') === '24h' ? '24h' : '1h';
  const history = useResource(
    (signal) => api().call('GET', '/api/metrics/history', { query: { window }, signal }),
    [window, tick],
  );
  return (
    <div class="health">
      <div class="head">
        <h1>Health</h1>
        <Button pressed={window === '1h'} onClick={() => replaceQuery({ window: undefined })}>
          Last hour
        </Button>
        <Button pressed={window === '24h'} onClick={() => replaceQuery({ window: '24h' })}>
          Last day
        </Button>
        <Button icon="refresh" label="Refresh" onClick={() => setTick((before) => before + 1)} />
      </div>
      <Status tick={tick} />
      <section aria-labelledby="charts">
        <h2 id="charts">{window === '1h' ? 'Last hour' : 'Last day'}</h2>
        <Loaded resource={history} lines={12}>
          {(data) => <Charts history={data} />}
        </Loaded>
      </section>
      <Connectors tick={tick} />
      <Nodes tick={tick} />
      <Plugins tick={tick} />
      <AuditLog tick={tick} />
    </div>
  );
}

function Charts({ history }: { history: History }) {
  const { window, points } = history;
  const drawings = useMemo(() => drawingsOf(history), [history]);
  const errors = errorCounts(points);
  const waiting = points.at(-1)?.queued_records ?? 0;
  if (points.length === 0) {
    return (
      <p class="help">
        {window === '1h'
          ? 'The first figures appear a minute after the start of the service.'
          : 'The first figures appear five minutes after the start of the service.'}
      </p>
    );
  }
  return (
    <>
      <p class="help">
        {errors.length === 0
          ? 'No request failed. '
          : `Failed requests: ${errors.map(([code, count]) => `${code} ${count}`).join(', ')}. `}
        {waiting > 0 && `${waiting} records wait for the store. `}
        Figures begin with the start of the process.
      </p>
      <div class="charts">
        {drawings.map((drawing) => (
          <Chart key={drawing.title} {...drawing} />
        ))}
      </div>
    </>
  );
}
