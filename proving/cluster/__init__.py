"""A cluster of our own on one machine: databases under Patroni, two web machines, a front, and what happens to them."""
