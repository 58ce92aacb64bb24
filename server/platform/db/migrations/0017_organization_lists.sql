-- Nothing but tests could write linkifiers so far. Of several with one pattern the first one counted.
delete from linkifiers a using linkifiers b
  where a.organization_id = b.organization_id and a.pattern = b.pattern
    and (a.sort_order, a.id) > (b.sort_order, b.id);

alter table linkifiers add unique (organization_id, pattern);
