import { LookUp } from './look-up.tsx';
import { knownName, searchUsers, useUserNames } from './users.ts';

/** One user. The name stands below the identifier. */
export function UserInput(props: { value: string; onChange: (value: string) => void }) {
  const { value, onChange } = props;
  useUserNames([value]);
  const name = knownName(value);
  return (
    <>
      <LookUp
        placeholder="Name or identifier"
        shown={value}
        search={searchUsers}
        free={(typed) => typed}
        onChoose={onChange}
      />
      {value !== '' && name !== undefined && name !== value && (
        <small>{name === '' ? 'The service has not seen this user yet.' : name}</small>
      )}
    </>
  );
}
