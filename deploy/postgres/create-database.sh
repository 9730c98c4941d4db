#!/bin/sh
# Prepares the primary's database. The image of PostgreSQL runs it once, before it serves others.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres \
  --set database_password="$DATABASE_PASSWORD" \
  --set replication_password="$REPLICATION_PASSWORD" <<'SQL'
create role feedloom login password :'database_password';
create role replicator login replication password :'replication_password';
create database feedloom owner feedloom encoding 'UTF8' template template0;
-- From the next start on, a commit is acknowledged when the standby has it on its disk, too. Not earlier: no standby
-- can connect yet, so the commits of this script would never end.
alter system set synchronous_standby_names = 'FIRST 1 (standby)';
SQL

echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
