import { useSignal } from '@preact/signals';
import { FeedloomError } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, textOf } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { choicesTaken } from '../../ui/look-up-state.ts';
import { useResource } from '../../ui/resource.ts';
import { fieldsOf, type SavedFeed, typeText } from './feed.ts';
import { Many } from './inputs/many.tsx';
import { TEMPLATES, type Template } from './templates.ts';

export function NewFeed() {
  const { name, templates, template, choose, values, fill, create, is_busy, error } = useNew();
  const faults = error instanceof FeedloomError ? error.errors : [];
  const at_name = faults.find(({ path }) => path === '/name')?.message;
  const elsewhere = error === undefined || at_name !== undefined ? undefined : textOf(error);
  return (
    <Form class="new-feed" onSubmit={create}>
      <div class="head">
        <h1>New feed</h1>
      </div>
      <Field label="Name" error={at_name}>
        <TextInput
          value={name.value}
          placeholder={template.title}
          onChange={(text) => {
            name.value = text;
          }}
          is_first
        />
      </Field>
      <Templates templates={templates} chosen={template} onChoose={choose} />
      {template.asks ? (
        <Asked
          key={template.id}
          asks={template.asks}
          error={elsewhere}
          values={values.value}
          onChange={fill}
        />
      ) : (
        <ErrorText text={elsewhere} />
      )}
      <div class="row">
        <Button kind="primary" type="submit" disabled={is_busy}>
          Create
        </Button>
        <ButtonLink href={linkTo(['feeds'])}>Cancel</ButtonLink>
      </div>
    </Form>
  );
}

function useNew() {
  const name = useSignal('');
  const chosen = useSignal(TEMPLATES[0].id);
  const values = useSignal<readonly unknown[]>([]);
  const error = useSignal<unknown>(undefined);
  const is_busy = useSignal(false);
  const shared = useResource((signal) => api().listFeeds({ visibility: 'template' }, { signal }), []);
  const templates = [...TEMPLATES, ...(shared.data?.data ?? []).map(sharedTemplate)];
  const templateNow = (): Template => templates.find(({ id }) => id === chosen.value) ?? TEMPLATES[0];
  const create = async (): Promise<void> => {
    await choicesTaken();
    if (is_busy.value) return;
    const template = templateNow();
    if (template.asks !== undefined && values.value.length === 0) {
      error.value = new Error('Choose at least one.');
      return;
    }
    is_busy.value = true;
    try {
      const config = await template.configOf(values.value.map(String));
      const body = { name: name.value.trim() || template.title, endpoint: template.endpoint, config };
      const { data } = await api().createFeed(body);
      goTo(['feeds', data.config_id]);
    } catch (reason) {
      error.value = reason;
      is_busy.value = false;
    }
  };
  const choose = (id: string): void => {
    chosen.value = id;
    values.value = [];
    error.value = undefined;
  };
  const fill = (next: readonly unknown[]): void => {
    values.value = next;
    error.value = undefined;
  };
  return {
    ...{ name, templates, template: templateNow(), choose, values, fill, create },
    ...{ is_busy: is_busy.value, error: error.value },
  };
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

function Asked(props: {
  asks: NonNullable<Template['asks']>;
  values: readonly unknown[];
  onChange: (values: readonly unknown[]) => void;
  error: string | undefined;
}) {
  const { asks, values, onChange, error } = props;
  return (
    <Field label={asks.label} error={error}>
      <Many
        onChange={onChange}
        name={asks.filter}
        of_places={asks.filter === 'geo_locations'}
        value={values}
      />
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
