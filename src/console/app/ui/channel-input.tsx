import { api } from '../session.ts';
import type { FieldIds } from './field.tsx';
import { type Kind, LookUpChips, LookUpInput } from './look-up.tsx';

/** Fields that look channels up. */

const FOUND_MAX = 8;
const COUNT = new Intl.NumberFormat('en');

/** What a channel is called: the part after the last `/` of its address. */
export function nameOfChannel(channel: string): string {
  return channel.split('/').at(-1) || channel;
}

const KIND: Kind = {
  placeholder: 'Name or address',
  find: async (search, signal) => {
    const query = { limit: FOUND_MAX, ...(search === '' ? {} : { search }) };
    const { channels } = await api().call('GET', '/v2/{network}/channels', { query, signal });
    return channels.map(({ channel, items_count }) => ({
      value: channel,
      text: nameOfChannel(channel),
      note: `${channel} · ${COUNT.format(items_count)} items`,
    }));
  },
};

interface Props<T> {
  value: T;
  ids?: FieldIds;
}

/** One channel. */
export function ChannelInput(props: Props<string> & { onChange: (value: string) => void }) {
  return <LookUpInput {...props} kind={KIND} />;
}

/** Several channels. */
export function ChannelChips(props: Props<readonly string[]> & { onChange: (value: string[]) => void }) {
  return <LookUpChips {...props} kind={KIND} nameOf={nameOfChannel} />;
}
