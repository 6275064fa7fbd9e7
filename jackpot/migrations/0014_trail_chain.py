"""The trail is chained: the database stamps each line and lets it wait; a line gets its number after its commit."""

from django.db import migrations, models

# Time and role are the database's word, the number is its own; a line waits for its seal in its own transaction.
STAMPED = """
CREATE FUNCTION fairmeter_trail_is_stamped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id IS DISTINCT FROM currval('public.jackpot_trail_id_seq') THEN
    RAISE EXCEPTION 'the database numbers the lines of the trail.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.at := statement_timestamp();
  NEW.written_by := session_user;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_trail_is_stamped BEFORE INSERT ON jackpot_trail
  FOR EACH ROW EXECUTE FUNCTION fairmeter_trail_is_stamped();
CREATE FUNCTION fairmeter_trail_awaits_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.jackpot_unsealedtrail (line) SELECT id FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_trail_awaits_seal AFTER INSERT ON jackpot_trail REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_trail_awaits_seal();
INSERT INTO jackpot_unsealedtrail (line) SELECT id FROM jackpot_trail;
CREATE TRIGGER jackpot_trailseal_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_trailseal
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
PLAIN = """
DROP TRIGGER jackpot_trailseal_stays ON jackpot_trailseal;
DROP FUNCTION fairmeter_trail_is_stamped() CASCADE;
DROP FUNCTION fairmeter_trail_awaits_seal() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0013_second_factor'),
    ]

    operations = [
        migrations.CreateModel(
            name='UnsealedTrail',
            fields=[
                ('line', models.BigIntegerField(primary_key=True, serialize=False)),
            ],
        ),
        migrations.AddField(
            model_name='trail',
            name='written_by',
            field=models.CharField(db_default='', help_text='The role of the database that wrote it; the database says so, and when.', max_length=63),
        ),
        migrations.CreateModel(
            name='TrailSeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chain', models.BigIntegerField(help_text='Key of the house; 0: lines of the server and of strangers.')),
                ('number', models.BigIntegerField(help_text='1, 2, 3 … without a gap.')),
                ('line', models.BigIntegerField(unique=True)),
                ('seal', models.BinaryField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('chain', 'number'), name='trail_seal_numbers_once'), models.CheckConstraint(condition=models.Q(('number__gt', 0)), name='trail_seal_counts_from_one')],
            },
        ),
        migrations.RunSQL(STAMPED, PLAIN),
    ]
