import { useEffect, useRef, useState } from 'preact/hooks';
import { FeedloomError } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, textOf } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { useResource } from '../../ui/resource.ts';
import { fieldsOf, type SavedFeed, typeText } from './feed.ts';
import { ErrorText } from './inputs/error-text.tsx';
import { Many } from './inputs/many.tsx';
import { TEMPLATES, type Template } from './templates.ts';

/** Offers templates for a new feed. */
export function NewFeed() {
  const { name, setName, templates, template, choose, values, setValues, create, is_ready, error } = useNew();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const faults = error instanceof FeedloomError ? error.errors : [];
  const at_name = faults.find(({ path }) => path === '/name')?.message;
  const elsewhere = error === undefined || at_name !== undefined ? undefined : textOf(error);
  return (
    <form
      class="new-feed"
      onSubmit={(event) => {
        event.preventDefault();
        if (is_ready) void create();
      }}
    >
      <div class="head">
        <h1>New feed</h1>
      </div>
      <Field label="Name" error={at_name}>
        {(ids) => (
          <input
            {...ids}
            ref={field}
            type="text"
            autocomplete="off"
            value={name}
            placeholder={template.title}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Templates templates={templates} chosen={template} onChoose={choose} />
      {template.asks ? (
        <Asked
          key={template.id}
          asks={template.asks}
          error={elsewhere}
          values={values}
          onChange={setValues}
        />
      ) : (
        <ErrorText text={elsewhere} />
      )}
      <div class="row">
        <Button kind="primary" type="submit" disabled={!is_ready}>
          Create
        </Button>
        <ButtonLink href={linkTo(['feeds'])}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

/** What is typed and chosen for a new feed. */
function useNew() {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(TEMPLATES[0].id);
  const [values, setValues] = useState<readonly unknown[]>([]);
  const [error, setError] = useState<unknown>();
  const [is_busy, setBusy] = useState(false);
  const shared = useResource((signal) => api().listFeeds({ visibility: 'template' }, { signal }), []);
  const templates = [...TEMPLATES, ...(shared.data?.data ?? []).map(sharedTemplate)];
  const template = templates.find(({ id }) => id === chosen) ?? TEMPLATES[0];
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      const config = await template.configOf(values.map(String));
      const body = { name: name.trim() || template.title, endpoint: template.endpoint, config };
      const { data } = await api().createFeed(body);
      goTo(['feeds', data.config_id]);
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  const choose = (id: string): void => {
    setChosen(id);
    setValues([]);
    setError(undefined);
  };
  const is_ready = !is_busy && (template.asks === undefined || values.length > 0);
  return { name, setName, templates, template, choose, values, setValues, create, is_ready, error };
}

function Templates(props: {
  templates: readonly Template[];
  chosen: Template;
  onChoose: (id: string) => void;
}) {
  const { templates, chosen, onChoose } = props;
  return (
    <fieldset class="templates">
      <legend>Begin with</legend>
      {templates.map(({ id, title, text }) => (
        <label key={id} class="template">
          <input
            type="radio"
            name="template"
            value={id}
            checked={id === chosen.id}
            onChange={() => onChoose(id)}
          />
          <span>
            <strong>{title}</strong>
            <small>{text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What a template asks for. */
function Asked(props: {
  asks: NonNullable<Template['asks']>;
  values: readonly unknown[];
  onChange: (values: readonly unknown[]) => void;
  error: string | undefined;
}) {
  const { asks, values, onChange, error } = props;
  return (
    <Field label={asks.label} error={error}>
      {(ids) => (
        <Many
          {...{ ids, onChange }}
          name={asks.filter}
          of_places={asks.filter === 'geo_locations'}
          value={values}
        />
      )}
    </Field>
  );
}

/** A feed that somebody offers as a template. */
function sharedTemplate(feed: SavedFeed): Template {
  const { endpoint, config } = fieldsOf(feed);
  return {
    id: feed.config_id,
    title: feed.name,
    text: feed.description || `${typeText(endpoint)}, as ${feed.config_id} is set.`,
    endpoint,
    configOf: () => config,
  };
}
