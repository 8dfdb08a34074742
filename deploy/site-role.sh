#!/bin/sh
# Run once by the database's image, when its volume is empty: makes the role that the site signs in as. It owns no table.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$SITE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE cardroom LOGIN PASSWORD :'password';
SQL
