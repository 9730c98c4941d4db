-- Divides the table of what viewers saw into 16 partitions. Run it as the owner of the table; pages that record
-- something wait for its end, so stop the nodes if the table is large:
--
--   psql --set ON_ERROR_STOP=1 --file partition-seen.sql postgres://feedloom@db.example.com/feedloom
--
-- A viewer is a hash, so ranges of its first byte have the same size, and the purge reads viewers in this order.
begin;
alter table seen rename to seen_undivided;
create table seen (like seen_undivided including all) partition by range (viewer);
do $$
begin
  for part in 0..15 loop
    execute format(
      'create table seen_%s partition of seen for values from (%s) to (%s) with (fillfactor = 75)',
      part,
      case part when 0 then 'minvalue' else quote_literal(set_byte('\x00', 0, 16 * part)) end,
      case part when 15 then 'maxvalue' else quote_literal(set_byte('\x00', 0, 16 * part + 16)) end
    );
  end loop;
end
$$;
insert into seen select * from seen_undivided;
drop table seen_undivided;
commit;
analyze seen;
