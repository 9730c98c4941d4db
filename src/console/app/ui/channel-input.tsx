import { api } from '../session.ts';
import { LookUp } from './look-up.tsx';
import type { Choice } from './look-up-state.ts';

/** Fields that look channels up. */

const FOUND_MAX = 8;
const COUNT = new Intl.NumberFormat('en');

/** What a channel is called: the part after the last `/` of its address. */
export function nameOfChannel(channel: string): string {
  return channel.split('/').at(-1) || channel;
}

async function searchChannels(search: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { limit: FOUND_MAX, ...(search === '' ? {} : { search }) };
  const { channels } = await api().call('GET', '/v2/{network}/channels', { query, signal });
  return channels.map(({ channel, items_count }) => ({
    value: channel,
    text: nameOfChannel(channel),
    note: `${channel} · ${COUNT.format(items_count)} posts`,
  }));
}

export function ChannelInput(props: { value: string; onChange: (value: string) => void }) {
  const { value, onChange } = props;
  return (
    <LookUp
      placeholder="Name or address"
      shown={value}
      search={searchChannels}
      free={(typed) => typed}
      onChoose={onChange}
    />
  );
}
