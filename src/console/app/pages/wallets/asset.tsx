import type { ComponentChildren } from 'preact';
import type { AlphaFeed, NftMetadata, TokenMetadata } from '../../../../../openapi/client/src/index.ts';
import { Facts } from '../../ui/layout.tsx';
import { LinkedText } from '../../ui/out-link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { shortNumber } from '../../ui/texts.ts';

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

function Known(props: {
  kind: string;
  name: string | null;
  of: string | null;
  facts: readonly (readonly [name: string, value: string | null | undefined])[];
  children?: ComponentChildren;
}) {
  const { kind, name, of, facts, children } = props;
  return (
    <>
      <header>
        <b>{name ?? `${kind} without a name`}</b>
        {of !== null && <small>{of}</small>}
        <span class="badge">{kind}</span>
      </header>
      {children}
      {facts.some(([, value]) => value) ? (
        <Facts facts={facts} />
      ) : (
        <p class="help">Nothing else is known of it.</p>
      )}
    </>
  );
}

function Token({ name, symbol, prices, holder_count, supply, decimals }: TokenMetadata) {
  const price = prices?.find(({ value_usd_string }) => value_usd_string !== null);
  return (
    <Known
      kind="Token"
      name={name}
      of={symbol}
      facts={[
        ['Price', price && `$${price.value_usd_string}`],
        ['Market', price?.marketplace_name],
        ['Liquidity', price?.liquidity_usd_string && `$${grouped(price.liquidity_usd_string)}`],
        ['Holders', holder_count?.toLocaleString('en')],
        ['Supply', supply === null ? undefined : wholeUnits(supply, decimals ?? 0)],
      ]}
    />
  );
}

function Nft({ name, description, image_url, collection_name, attributes, creator, token_id }: NftMetadata) {
  const traits = (attributes ?? []).map(({ trait_type, value }) => [trait_type, String(value)] as const);
  return (
    <Known
      kind="NFT"
      name={name}
      of={collection_name}
      facts={[['Number', token_id], ['Creator', creator], ...traits]}
    >
      {description !== null && (
        <p class="text">
          <LinkedText text={description} />
        </p>
      )}
      {image_url !== null && <Picture url={image_url} />}
    </Known>
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
