import { Button } from '../../../ui/button.tsx';
import { languageText, type Search, searchFor } from '../../../ui/finders.ts';
import { LookUp } from '../../../ui/look-up.tsx';
import { searchUsers, useUserNames } from '../../../ui/users.ts';

interface ManyProps {
  value: readonly unknown[];
  onChange: (value: unknown[]) => void;
}

/** A list of texts that are found or typed. Several lines, or texts with commas, can be pasted. */
export function Many(
  props: ManyProps & {
    name: string;
    placeholder?: string;
    /** How a value is written in the list. */
    textOf?: (value: string) => string;
    search?: Search;
    /** No more can be added then. */
    max?: number;
    /** Entries are places: they have commas inside. */
    of_places?: boolean;
  },
) {
  const { name, value, onChange, placeholder, max = Infinity, of_places = false } = props;
  const texts = value.map(String);
  const search = props.search ?? searchFor(name);
  const textOf = props.textOf ?? (name === 'languages' ? languageText : (text: string) => text);
  const add = (parts: readonly string[]): void => {
    const added = parts
      .map((part) => (of_places ? placeText(part) : part.trim()))
      .filter((part) => part !== '' && !texts.includes(part));
    if (added.length > 0) onChange([...value, ...new Set(added)]);
  };
  return (
    <div class="chips">
      {texts.map((text) => (
        <span class="chip" key={text}>
          {textOf(text)}
          <Button
            kind="quiet"
            icon="close"
            label={`Remove ${textOf(text)}`}
            onClick={() => onChange(value.filter((other) => String(other) !== text))}
          />
        </span>
      ))}
      {texts.length < max && (
        <LookUp
          placeholder={placeholder ?? (search ? 'Find or type' : 'Type and press Enter')}
          search={
            search &&
            (async (typed, signal) =>
              (await search(typed, signal)).filter(({ value: id }) => !texts.includes(id)))
          }
          is_free
          onChoose={(text) => add([text])}
          onBack={() => onChange(value.slice(0, -1))}
          onSeveral={(text) => {
            const parts = text.split(of_places ? /\n/ : /[,\n]/);
            if (parts.length < 2) return false;
            add(parts);
            return true;
          }}
        />
      )}
    </div>
  );
}

const PLACE = /^\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*$/;

/** A place as the API takes it, from the form in which maps copy it. */
function placeText(text: string): string {
  return text.trim().replace(PLACE, '$1,$2');
}

/** Users, found by their names. */
export function ManyUsers({ value, onChange }: ManyProps) {
  const nameOf = useUserNames(value.map(String));
  return (
    <Many
      {...{ value, onChange }}
      name="users"
      placeholder="Find by name or id"
      search={searchUsers}
      textOf={nameOf}
    />
  );
}
