#!/bin/sh
# Copies the primary's database into an empty volume, then starts PostgreSQL as its standby.
set -eu

if [ ! -e "$PGDATA" ]; then
  rm -rf "$PGDATA.part"
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup \
    --host "$PRIMARY_HOST" --port "${PRIMARY_PORT:-5432}" --username replicator \
    --pgdata "$PGDATA.part" --wal-method stream --checkpoint fast --write-recovery-conf
  # A copy that was cut off is never started.
  mv "$PGDATA.part" "$PGDATA"
fi

exec docker-entrypoint.sh "$@"
