import { useEffect, useMemo, useState } from 'preact/hooks';
import { place, replaceQuery } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { Head, Section } from '../ui/layout.tsx';
import { useAnswer } from '../ui/resource.ts';
import { Loaded } from '../ui/states.tsx';
import { AuditLog } from './health/audit-log.tsx';
import { drawingsOf, errorCounts, type History } from './health/drawings.ts';
import { Connectors, Nodes } from './health/parts.tsx';
import { Plugins } from './health/plugins.tsx';
import { Readiness } from './health/readiness.tsx';

/** Time between two requests to the service. It measures once a minute. */
const REFRESH_MS = 30_000;

/** How the service is doing: status, charts, connectors, nodes, plugins, and the audit log. */
export function HealthPage() {
  const [tick, setTick] = useState(0);
  const refresh = (): void => setTick((before) => before + 1);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const window = place.value.query.get('window') === '24h' ? '24h' : '1h';
  const history = useAnswer('/api/metrics/history', { query: { window } }, tick);
  return (
    <div class="health">
      <Head title="Health">
        <Button pressed={window === '1h'} onClick={() => replaceQuery({ window: undefined })}>
          Last hour
        </Button>
        <Button pressed={window === '24h'} onClick={() => replaceQuery({ window: '24h' })}>
          Last day
        </Button>
        <Button icon="refresh" label="Refresh" onClick={refresh} />
      </Head>
      <Readiness tick={tick} />
      <Section title={window === '1h' ? 'Last hour' : 'Last day'}>
        <Loaded resource={history} lines={12}>
          {(data) => <Charts history={data} />}
        </Loaded>
      </Section>
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
  const times = useMemo(() => points.map(({ at }) => at), [points]);
  const errors = errorCounts(points);
  const waiting = points.at(-1)?.queued_records ?? 0;
  if (points.length === 0) {
    const first = window === '1h' ? 'a minute' : 'five minutes';
    return <p class="help">The first figures appear {first} after the start of the service.</p>;
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
          <Chart key={drawing.title} {...drawing} times={times} />
        ))}
      </div>
    </>
  );
}
