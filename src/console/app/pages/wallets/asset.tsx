import type { AlphaFeed, NftMetadata, TokenMetadata } from '../../../../../openapi/client/src/index.ts';
import { LinkedText } from '../../ui/out-link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { shortNumber } from '../../ui/short-number.ts';

type Item = AlphaFeed['items'][number];

/** A token or an NFT, with what is known of it. */
export function Asset({ item: { itemId, score, metadata } }: { item: Item }) {
  return (
    <article class="post">
      {'symbol' in metadata ? <Token {...metadata} /> : <Nft {...metadata} />}
      <footer>
        <span>Score {shortNumber(score)}</span>
        <code>{itemId}</code>
      </footer>
    </article>
  );
}

function Token({ name, symbol, prices, holder_count, supply, decimals }: TokenMetadata) {
  const price = prices?.find(({ value_usd_string }) => value_usd_string !== null);
  return (
    <>
      <header>
        <b>{name ?? 'Token without a name'}</b>
        {symbol !== null && <small>{symbol}</small>}
        <span class="badge">Token</span>
      </header>
      <Facts
        facts={[
          ['Price', price && `$${price.value_usd_string}`],
          ['Market', price?.marketplace_name],
          ['Liquidity', price?.liquidity_usd_string && `$${grouped(price.liquidity_usd_string)}`],
          ['Holders', holder_count?.toLocaleString('en')],
          ['Supply', supply === null ? undefined : wholeUnits(supply, decimals ?? 0)],
        ]}
      />
    </>
  );
}

function Nft({ name, description, image_url, collection_name, attributes, creator, token_id }: NftMetadata) {
  return (
    <>
      <header>
        <b>{name ?? 'NFT without a name'}</b>
        {collection_name !== null && <small>{collection_name}</small>}
        <span class="badge">NFT</span>
      </header>
      {description !== null && (
        <p class="text">
          <LinkedText text={description} />
        </p>
      )}
      {image_url !== null && <Picture url={image_url} />}
      <Facts
        facts={[
          ['Number', token_id],
          ['Creator', creator],
          ...(attributes ?? []).map(({ trait_type, value }): [string, string] => [trait_type, String(value)]),
        ]}
      />
    </>
  );
}

/** Names and values. Those without a value are left out. */
function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | null | undefined])[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (known.length === 0) return <p class="help">Nothing else is known of it.</p>;
  return (
    <dl class="facts">
      {known.map(([name, value], index) => (
        <div key={`${name} ${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A decimal number with its thousands apart. Prices are texts, so that no digit is lost. */
function grouped(decimal: string): string {
  const [whole, ...rest] = decimal.split('.');
  return [BigInt(whole).toLocaleString('en'), ...rest].join('.');
}

/** A supply counts the smallest units. Parts of a whole unit are left out. */
function wholeUnits(supply: string, decimals: number): string {
  return (BigInt(supply) / 10n ** BigInt(decimals)).toLocaleString('en');
}
