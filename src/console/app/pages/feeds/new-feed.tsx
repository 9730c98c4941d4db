import { useSignal } from '@preact/signals';
import { goTo, linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { listFeeds, type SavedFeed, typeText } from '../../ui/feeds.tsx';
import { Form, useSubmit } from '../../ui/form.tsx';
import { ErrorText, Field, TextField } from '../../ui/inputs.tsx';
import { Head } from '../../ui/layout.tsx';
import { choicesTaken } from '../../ui/look-up-state.ts';
import { useResource } from '../../ui/resource.ts';
import { fieldsOf } from './feed.ts';
import { Many } from './inputs/many.tsx';
import { TEMPLATES, type Template } from './templates.ts';

/** Makes a feed from a template. */
export function NewFeed() {
  const name = useSignal('');
  const chosen = useSignal(TEMPLATES[0].id);
  const values = useSignal<readonly unknown[]>([]);
  const shared = useResource((signal) => listFeeds(signal, 'template'), []);
  const templates = [...TEMPLATES, ...(shared.data ?? []).map(sharedTemplate)];
  const templateNow = (): Template => templates.find(({ id }) => id === chosen.value) ?? TEMPLATES[0];
  const { submit, faultAt, is_busy, text, clear } = useSubmit(async () => {
    await choicesTaken();
    const { asks, configOf, title, endpoint } = templateNow();
    if (asks !== undefined && values.value.length === 0) throw new Error('Choose at least one.');
    const config = await configOf(values.value.map(String));
    const { data } = await api().createFeed({ name: name.value.trim() || title, endpoint, config });
    goTo(['feeds', data.config_id]);
  });
  const { id, title, asks } = templateNow();
  const at_name = faultAt('/name');
  const elsewhere = at_name === undefined ? text : undefined;
  const fill = (next: readonly unknown[]): void => {
    values.value = next;
    clear();
  };
  return (
    <Form class="new-feed" onSubmit={submit}>
      <Head title="New feed" />
      <TextField
        label="Name"
        error={at_name}
        value={name.value}
        placeholder={title}
        onChange={(text) => {
          name.value = text;
        }}
        is_first
      />
      <Templates
        templates={templates}
        chosen={id}
        onChoose={(next) => {
          chosen.value = next;
          fill([]);
        }}
      />
      {asks ? (
        <Field key={id} label={asks.label} error={elsewhere}>
          <Many
            name={asks.filter}
            of_places={asks.filter === 'geo_locations'}
            value={values.value}
            onChange={fill}
          />
        </Field>
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

function Templates(props: {
  templates: readonly Template[];
  chosen: string;
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
            checked={id === chosen}
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
