#!/bin/sh
# For the first start of the container of PostgreSQL (compose.yaml): gives both accounts of roles.sql their password.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d "$POSTGRES_DB" -v owner="$OWNER_PASSWORD" -v app="$APP_PASSWORD" <<'SQL'
alter role refill_owner password :'owner';
alter role refill_app password :'app';
SQL
