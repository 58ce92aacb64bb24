-- compatible from: 58
-- A link for another password that the server's operator made and gave to the person. Servers of before take it
-- for one that was mailed, which is trusted less.
alter table mailed_codes add column by_operator boolean not null default false;
