import type { ComponentChildren } from 'preact';
import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { Facts, Section } from '../../ui/layout.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { whole } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';

/** What the service consists of: connectors that bring records in, and nodes that serve the data. */

interface PartProps {
  name: string | null;
  state: string;
  /** What is wrong with it, as a badge. */
  fault?: string;
  facts: readonly (readonly [name: string, value: ComponentChildren])[];
  note?: ComponentChildren;
}

function Part({ name, state, fault, facts, note }: PartProps) {
  return (
    <li>
      <article aria-label={name ?? state}>
        <header>
          <h3>{name}</h3>
          {state !== fault && <span class="badge">{state}</span>}
          {fault && <span class="badge bad">{fault}</span>}
        </header>
        <Facts facts={facts} />
        {note && <p class={fault === undefined ? 'help' : 'error'}>{note}</p>}
      </article>
    </li>
  );
}

/** Which connectors have a problem, and how far each has come. */
export function Connectors({ tick }: { tick: number }) {
  const connectors = useAnswer('/api/connectors', {}, tick);
  return (
    <Section title="Connectors">
      <Loaded resource={connectors}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <p class="help">
                No connector is set up. Records come in by the API, or by files on the{' '}
                <a href={linkTo(['data'])}>data page</a>.
              </p>
            )}
            <ul class="rows">
              {data.map((connector) => (
                <Part key={connector.connector} {...partOf(connector)} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const RATE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function partOf(one: AnswerOf<'GET', '/api/connectors'>['data'][number]): PartProps {
  const { connector, state, last_error, last_error_at, last_stored_at, warnings } = one;
  const at = last_error_at !== null && [', ', <Ago key="at" at={last_error_at} />];
  return {
    ...{ name: connector, state, fault: state === 'stalled' ? state : undefined },
    facts: [
      ['Records a second', RATE.format(one.records_per_second)],
      ['Last stored', last_stored_at === null ? 'never' : <Ago at={last_stored_at} />],
      ['Records', whole(one.records_count)],
      ['Rejected', whole(one.rejected_count)],
      ['Retries', whole(one.restarts_count)],
    ],
    note: (last_error !== null || warnings.length > 0) && [
      last_error !== null && ['Last error', at, `: ${last_error} `],
      warnings.join(' '),
    ],
  };
}

/** A node renews its entry more often than that. */
const SILENT_SECONDS = 5;

/** Which node leads, and how far each one is behind. */
export function Nodes({ tick }: { tick: number }) {
  const nodes = useAnswer('/api/nodes', {}, tick);
  return (
    <Section title="Nodes">
      <Loaded resource={nodes}>
        {({ data }) =>
          data.length === 1 && data[0].node_id === null ? (
            <p class="help">One process serves these data.</p>
          ) : (
            <ul class="rows">
              {data.map(({ node_id, url, role, release, applied_seq, lag_changes, silent_seconds }) => (
                <Part
                  key={node_id}
                  name={url ?? node_id}
                  state={role}
                  fault={
                    silent_seconds > SILENT_SECONDS ? `silent for ${Math.round(silent_seconds)} s` : undefined
                  }
                  facts={[
                    ['Changes behind', whole(lag_changes)],
                    ['Last change', whole(applied_seq)],
                    ['Release', release],
                  ]}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
